/**
 * "Is allergic to cashews, not peanuts" against "Is allergic to peanuts": the sentence in whose place the known one is
 * taken. Null where the known one is another.
 */
export function corrects(said: string, known: string): string | null {
  const sentence = said.replace(/[.!]+$/, '');
  const at = sentence.lastIndexOf(', not ');
  const [right, wrong] = at < 0 ? ['', ''] : [sentence.slice(0, at), sentence.slice(at + ', not '.length)];
  const old = known.replace(/[.!]+$/, '');
  if (wrong === '') return null;
  for (let place = old.indexOf(wrong); place >= 0; place = old.indexOf(wrong, place + 1)) {
    const [before, after] = [old.slice(0, place), old.slice(place + wrong.length)];
    const isWhole = !/[\p{L}\d]$/u.test(before) && !/^[\p{L}\d]/u.test(after);
    if (isWhole && right.length > before.length + after.length && right.startsWith(before) && right.endsWith(after))
      return right;
  }
  return null;
}
