/**
 * The text as it compares without regard to case, by Unicode's full case folding (CaseFolding.txt) where lower case alone
 * falls short of it: sharp s is "ss" in capitals, a final sigma is a sigma, and the dot that lower case leaves of a
 * Turkish capital I is no letter of its own.
 */
export function foldedCase(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
}
