/**
 * Slack's limits, each with its source. "block kit" is https://docs.slack.dev/reference/block-kit, checked against the
 * comments of @slack/types 3.2. Slack counts code points; we measure UTF-16 units of the escaped text, which are never
 * fewer, so that whatever fits here fits there.
 */
export const SLACK = Object.freeze({
  /** block kit, text object. */
  text: 3_000,
  /** block kit, button: text. */
  buttonText: 75,
  /** Clients cut a button's text near here (block kit, button). */
  buttonTextShown: 30,
  /** block kit, option object: text and description. */
  optionText: 75,
  optionDescription: 75,
  /** block kit, checkboxes and radio buttons: options. */
  boxes: 10,
  /** block kit, plain_text_input: max_length. */
  input: 3_000,
  /** reference/views/modal-views: title, submit, close. */
  viewTitle: 24,
  /** Blocks of a message; of a modal (reference/views/modal-views). */
  messageBlocks: 50,
  viewBlocks: 100,
  /** Sum of the texts of all blocks of a message, after which posts fail (bolt-js#2509). */
  messageText: 13_200,
  /** "The provided view is greater than 250kb." (views.open) */
  viewBytes: 250_000,
  /** reference/methods/chat.postMessage: keep `text` below this. */
  fallbackText: 4_000,
  /** interactivity/handling-user-interaction: a response_url. */
  responseUrlUses: 5,
  responseUrlMs: 30 * 60_000,
});

/** Our own choices within them. */
export const OURS = Object.freeze({
  /** product.md "Cards": never more than five buttons in a row; also the most options that get buttons of their own. */
  buttonsInARow: 5,
  /** A label longer than this is numbered, so that no client cuts it (E4, E5). */
  buttonLabel: 24,
  /** Texts of one card together: below Slack's wall, with room for what it counts differently. */
  cardText: 12_000,
  /** Texts of one modal together (product.md "Cards": a modal shows up to 60,000 characters). */
  formText: 60_000,
  /** Three blocks each, of the 100 a Home tab may have. */
  inboxEntries: 25,
  /** Runs of blanks longer than this are counted instead of shown: previews keep their columns. */
  previewBlanks: 40,
  /** architecture.md invariant 9: how long a form's content may take before a loading view is opened instead. */
  lookUpMs: 300,
  /** platforms.md section 5: a call that takes longer has eaten the trigger, which lives 3 s. */
  callMs: 2_500,
  /** Actor.standing: a cached answer is at most 5 s old. */
  standingMs: 5_000,
  /**
   * How long it is remembered who is in a user group, and after which somebody who is missing from it is looked for once
   * more: usergroups.users.list takes 20 calls a minute, so that a group costs no more than that.
   */
  groupMs: 5_000,
  groupMissMs: 3_000,
  /** platforms.md 3a "retry trap": the same interaction may come again for 5 minutes; kept with a margin. */
  repeatedMs: 15 * 60_000,
});
