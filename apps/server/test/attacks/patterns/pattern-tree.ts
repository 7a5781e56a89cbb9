/** A regular expression, reduced to what matters for its running time. */
export type PatternNode =
  | { readonly type: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly type: 'repeat'
      readonly min: number
      readonly isUnbounded: boolean
      readonly body: PatternNode
    }
  /** One character of this set. */
  | { readonly type: 'character'; readonly set: ReadonlySet<string> }
  /** A zero-width assertion: `^`, `$`, `\b`, lookahead or lookbehind. */
  | { readonly type: 'edge'; readonly text: string; readonly behind?: ReadonlySet<string> }

/**
 * Character sets are represented by their members from this alphabet: ASCII, and one example of each other
 * kind.
 */
export const ALPHABET: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  '\u00a0',
  'é',
  '\u2028',
  '汉',
  '\ufeff',
  '\u017f',
  '\u212a',
]

export function parsePattern(source: string, flags: string): PatternNode {
  const parser = new PatternParser(source, flags.replaceAll(/[gyd]/g, ''))
  return parser.choice()
}

class PatternParser {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  choice(): PatternNode {
    const options = [this.#sequence()]
    while (this.#take('|')) options.push(this.#sequence())
    const [only] = options
    return only !== undefined && options.length === 1 ? only : { type: 'choice', options }
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const atom = this.#atom()
      items.push(this.#repeated(atom))
    }
    return { type: 'sequence', items }
  }

  #atom(): PatternNode {
    if (this.#take('(')) return this.#group()
    if (this.#take('^')) return { type: 'edge', text: '^' }
    if (this.#take('$')) return { type: 'edge', text: '$' }
    const text = this.#characterText()
    if (/^\\[bB]$/.test(text)) return { type: 'edge', text }
    return { type: 'character', set: setOf(text, this.#flags) }
  }

  #group(): PatternNode {
    const head = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.#source.slice(this.#at))?.[0] ?? ''
    this.#at += head.length
    const body = this.choice()
    if (!this.#take(')')) throw new Error(`a group without an end: ${this.#source}`)
    if (head === '?<=') return { type: 'edge', text: head, behind: charactersOf(body) }
    return /^\?(?:[=!]|<!)$/.test(head) ? { type: 'edge', text: head } : body
  }

  #repeated(body: PatternNode): PatternNode {
    const text = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at))?.[0] ?? ''
    if (text === '') return body
    this.#at += text.length
    const [min = '0', max = min] =
      { '*': ['0', ''], '+': ['1', ''], '?': ['0', '1'] }[text[0] ?? ''] ??
      text.replaceAll(/[{}?]/g, '').split(',')
    return { type: 'repeat', min: Number(min), isUnbounded: max === '', body }
  }

  #characterText(): string {
    const rest = this.#source.slice(this.#at)
    const text =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[pP]\{[^}]*\}|\\k<\w+>|\\.|[^])/iu.exec(
        rest,
      )?.[0] ?? ''
    if (text === '') throw new Error(`not understood: ${rest}`)
    this.#at += text.length
    return text
  }

  #take(sign: string): boolean {
    if (this.#source[this.#at] !== sign) return false
    this.#at++
    return true
  }
}

function setOf(text: string, flags: string): ReadonlySet<string> {
  const pattern = new RegExp(`^${text}$`, flags)
  const known = ALPHABET.filter((character) => pattern.test(character))
  // A literal character outside the alphabet, such as an emoji, is treated as a set of its own.
  return new Set(known.length > 0 ? known : [text])
}

/** All characters anywhere in the node. */
export function charactersOf(node: PatternNode): ReadonlySet<string> {
  if (node.type === 'character') return node.set
  if (node.type === 'edge') return new Set()
  if (node.type === 'repeat') return charactersOf(node.body)
  const parts = node.type === 'choice' ? node.options : node.items
  return new Set(parts.flatMap((part) => [...charactersOf(part)]))
}
