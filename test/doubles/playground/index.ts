export { runAutomatically } from './auto.ts';
export { type PlaygroundOptions, servePlayground } from './serve.ts';
