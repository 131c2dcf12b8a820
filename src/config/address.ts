const FORM = /^(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+)):(\d{1,5})$/;

/** Whether the text is `host:port` to listen on, an IPv6 host in brackets. Port 0 takes any free one. */
export function isAddress(text: string): boolean {
  return Number(FORM.exec(text)?.[3] ?? Number.NaN) <= 65_535;
}
