# The gateway as a container; compose.yaml shows it with its Redis, docs/deploy.md tells the rest.
# test/e2e/image.test.ts runs these steps without Docker: the final stage copies only, so that it can.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY build.mjs tsconfig.json tsconfig.build.json tsconfig.library.json ./
COPY src src
COPY adapters adapters
# What the playground is made of: the compiler wants it there. .dockerignore lets no more through.
COPY test test
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts
RUN rm -r dist/test && mkdir state

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="handraise" \
      org.opencontainers.image.description="Lets a coding agent raise its hand: the gateway between agents and chat" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    XDG_STATE_HOME=/var/lib
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
# $XDG_STATE_HOME/handraise: the sealed audit.
COPY --from=build --chown=node:node /app/state /var/lib/handraise
VOLUME /var/lib/handraise
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "dist/src/main.js"]
CMD ["gateway"]
