/** Code blocks and inline code, in which a dollar sign is never the start of a formula. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/

/**
 * Puts the formulas of a text between double dollars, the only notation that cannot be mistaken for money.
 * Models also write `\(x\)`, `\[x\]` and `$x$`; text between single dollars counts as a formula if it looks
 * like one.
 */
export function mathMarked(text: string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : marked(part)))
    .join('')
}

function marked(text: string): string {
  return text
    .replace(/\\\[([\s\S]+?)\\\]/g, (_whole, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replace(/\\\(([^\n]+?)\\\)/g, (_whole, formula: string) => `$$${formula.trim()}$$`)
    .replace(/(?<![$\\\w])\$(?![\s$])([^$\n]*?)(?<![\s\\])\$(?![\d$])/g, (whole, formula: string) =>
      looksLikeFormula(formula) ? `$$${formula}$$` : whole,
    )
}

/** A single letter, or a text with characters that occur in formulas. */
function looksLikeFormula(text: string): boolean {
  return /^[A-Za-z]'?$/.test(text) || /[\\^_=<>+]/.test(text)
}
