/**
 * Discord's limits, each with its source. "components" is https://docs.discord.com/developers/components/reference,
 * "message" is …/resources/message, "interaction" is …/interactions/receiving-and-responding. Discord counts code
 * points; we measure UTF-16 units, which are never fewer.
 */
export const DISCORD = Object.freeze({
  /** components: custom_id. */
  customId: 100,
  /** components, button: label. */
  buttonLabel: 80,
  /** components, action row: buttons. */
  buttonsInARow: 5,
  /** components, string select and the groups of a modal: label, value and description of an option. */
  optionText: 100,
  optionValue: 100,
  /** components, string select. */
  selectOptions: 25,
  placeholder: 150,
  /** components, radio group and checkbox group: options. */
  boxes: 10,
  /** components, label: label and description. */
  label: 45,
  labelDescription: 100,
  /** components, text input: value. */
  input: 4_000,
  /** interaction: a modal's title and its top-level components. */
  modalTitle: 45,
  modalComponents: 5,
  /** message, components v2: components of a message with everything nested, and the sum of their texts. */
  components: 40,
  messageText: 4_000,
  /** discord-api-docs#8554: more bytes of components than this end in HTTP 500. */
  messageBytes: 10_170,
  /** …/resources/channel: name of a thread. */
  threadName: 100,
  /** message: `nonce`. */
  nonce: 25,
  /** interaction: how long the first response is awaited, and how long its token lives. */
  firstResponseMs: 3_000,
  tokenMs: 15 * 60_000,
});

/** Our own choices within them. */
export const OURS = Object.freeze({
  /** product.md "Cards": the most options that get buttons of their own. */
  optionButtons: 5,
  /** A label longer than this is numbered: phones cut buttons near 38 characters (components, button). */
  buttonLabel: 34,
  /** Labels up to this leave the text beside the button most of a phone's width (375 px). */
  besideLabel: 12,
  /** Room for what Discord may count differently. */
  cardText: 3_900,
  cardBytes: 9_800,
  /** Three components each, of the 40 a message may have. */
  inboxEntries: 10,
  /** What a person types into one box; as on Slack, so that an answer is shown whole on both. */
  input: 3_000,
  /** Runs of blanks longer than this are counted instead of shown: previews keep their columns. */
  previewBlanks: 40,
  /** architecture.md invariant 9: how long a modal's content may take to be read. */
  lookUpMs: 1_500,
  /** platforms.md 2b: an interaction older than this is a replay, and changes nothing. */
  staleMs: 15_000,
  /** platforms.md section 5: a call that takes longer has failed. */
  callMs: 2_500,
  /** The same interaction may come again after a RESUME. */
  repeatedMs: 15 * 60_000,
  /** A draft that nobody touched for so long may be taken over. */
  idleMs: 2 * 60_000,
});
