/** Facts of the socket wire that the bridge needs without zod (`frames.ts` has the frames). */
export const WIRE_VERSION = 1;

/** Bytes a line may have, without its newline. */
export const MAX_LINE_BYTES = 1_048_576;
