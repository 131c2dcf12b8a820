import { isBlank } from '../text.ts';

/** What is wrong with a preview, or undefined. An HTML-looking one must be a fragment with a real tag in it. */
export function complainAboutPreview(preview: string): string | undefined {
  if (isBlank(preview)) return 'the preview must not be blank; leave it out instead';
  // Not \b: <style-guide> is somebody's own element.
  if (/<!doctype|<\/?(?:html|body|script|style)(?![\w-])/i.test(preview)) {
    return 'the preview must be a fragment: no doctype, html, body, script or style';
  }
  const looksLikeHtml = /^\s*</.test(preview);
  if (looksLikeHtml && !/<[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/i.test(preview)) {
    return 'the preview looks like HTML but holds no tag; send markdown, or a fragment such as <div>…</div>';
  }
  return undefined;
}
