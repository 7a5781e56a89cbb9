/** Code, between fences or backticks: there a dollar is a dollar. */
const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/

/**
 * The formulas of a text between double dollars, the one spelling that is never money. Models also write `\(x\)`,
 * `\[x\]` and `$x$`; a single dollar counts when what it holds looks like a formula.
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

/** A letter alone, or something with the signs of a formula. */
function looksLikeFormula(text: string): boolean {
  return /^[A-Za-z]'?$/.test(text) || /[\\^_=<>+]/.test(text)
}
