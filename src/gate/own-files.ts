/** Configuration, state and sockets of handraise, by where they are. */
const OWN_FILES =
  /(^|\/)(\.config|\.local\/state)\/handraise(\/|$)|(^|\/)handraise\.ya?ml$|(^|\/)\.?handraise[\w-]*\.sock$/;

export function isOwnFile(path: string): boolean {
  return OWN_FILES.test(path);
}
