import { ALPHABET, charactersOf, parsePattern, type PatternNode } from './pattern-tree.ts'

/**
 * Describes why a pattern may take more than linear time; `undefined` when no reason is found. It detects the
 * usual mistakes of hand-written patterns and prefers false alarms to misses:
 * - a repetition that is retried at each position, such as `\s*x`, `a[a-z]*;`;
 * - two repetitions that can divide the same text in many ways, such as `\s*\s*x`, `.*a.*b`;
 * - a repetition of a repetition, such as `(a+)+`.
 */
export function faultOf(source: string, flags: string): string | undefined {
  const tree = parsePattern(source, flags)
  const options = tree.type === 'choice' ? tree.options : [tree]
  for (const option of options) {
    const items = itemsOf(option)
    const isAnchored = flags.includes('y') || (items[0]?.type === 'edge' && items[0].text === '^')
    const fault = (isAnchored ? undefined : triedAnew(items)) ?? faultIn(option)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultIn(node: PatternNode): string | undefined {
  if (node.type === 'choice') return first(node.options, faultIn)
  if (node.type === 'sequence') return first(node.items, faultIn) ?? shared(itemsOf(node))
  if (node.type !== 'repeat') return undefined
  return (node.isUnbounded ? nested(node.body) : undefined) ?? faultIn(node.body)
}

function first(
  nodes: readonly PatternNode[],
  judge: (node: PatternNode) => string | undefined,
): string | undefined {
  for (const node of nodes) {
    const fault = judge(node)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The consecutive parts of a node; groups that are plain sequences are flattened. */
function itemsOf(node: PatternNode): readonly PatternNode[] {
  return node.type === 'sequence' ? node.items.flatMap(itemsOf) : [node]
}

/**
 * Applies to unanchored patterns: everything before a repetition also matches what it repeats, and something
 * must follow the repetition.
 */
function triedAnew(items: readonly PatternNode[]): string | undefined {
  for (const [index, item] of items.entries()) {
    if (!isUnbounded(item)) continue
    const repeated = charactersOf(item)
    const before = items.slice(0, index)
    const fits = before.every((each) => isNullable(each) || meets(beginningsOf(each), repeated))
    if (fits && !isHeldBack(before[0], repeated) && mustFollow(item, items.slice(index + 1)))
      return 'a repetition that is tried anew at each place'
  }
  return undefined
}

/** Finds two repetitions where everything between them matches what both repeat. */
function shared(items: readonly PatternNode[]): string | undefined {
  for (const [from, left] of items.entries()) {
    if (!isUnbounded(left)) continue
    for (const [index, right] of items.entries()) {
      if (index <= from || !isUnbounded(right)) continue
      const both = common(charactersOf(left), charactersOf(right))
      const between = items.slice(from + 1, index)
      const fits = between.every((each) => isNullable(each) || meets(beginningsOf(each), both))
      const canBegin = meets(charactersOf(left), beginningsOf(right))
      if (both.size > 0 && fits && canBegin && mustFollow(right, items.slice(index + 1)))
        return 'two repetitions that can share what they match'
    }
  }
  return undefined
}

/** Finds a repeated part that ends in a repetition of characters with which the next round may begin. */
function nested(body: PatternNode): string | undefined {
  const options = body.type === 'choice' ? body.options : [body]
  const beginnings = new Set(options.flatMap((option) => [...beginningsOf(option)]))
  for (const option of options) {
    const items = itemsOf(option)
    for (const [index, item] of items.entries()) {
      if (!isUnbounded(item) || items.slice(index + 1).some((each) => !isNullable(each))) continue
      if (meets(charactersOf(item), beginnings)) return 'a repetition of a repetition'
    }
  }
  return undefined
}

function isUnbounded(node: PatternNode): boolean {
  return node.type === 'repeat' && node.isUnbounded
}

function isNullable(node: PatternNode): boolean {
  if (node.type === 'edge') return true
  if (node.type === 'repeat') return node.min === 0 || isNullable(node.body)
  if (node.type === 'choice') return node.options.some(isNullable)
  return node.type === 'sequence' && node.items.every(isNullable)
}

/** Whether the rest of the pattern can fail, so that the engine backtracks into the repetition. */
function mustFollow(repeat: PatternNode, items: readonly PatternNode[]): boolean {
  const [next] = items
  // A repetition that matches every character always reaches the end of the text.
  const reachesEnd = charactersOf(repeat).size >= ALPHABET.length
  if (reachesEnd && items.length === 1 && next?.type === 'edge' && next.text === '$') return false
  return items.some((item) => item.type === 'edge' || !isNullable(item))
}

/**
 * Whether the assertion before the repetition allows it to start only at the beginning of a run of the
 * repeated characters.
 */
function isHeldBack(before: PatternNode | undefined, repeated: ReadonlySet<string>): boolean {
  if (before?.type !== 'edge') return false
  if (before.text === '\\b') return [...repeated].every((character) => /\w/.test(character))
  return before.behind !== undefined && !meets(before.behind, repeated)
}

/** Characters the node may begin with. */
function beginningsOf(node: PatternNode): ReadonlySet<string> {
  if (node.type === 'character') return node.set
  if (node.type === 'repeat') return beginningsOf(node.body)
  if (node.type === 'choice') return new Set(node.options.flatMap((option) => [...beginningsOf(option)]))
  if (node.type === 'edge') return new Set()
  const found = new Set<string>()
  for (const item of node.items) {
    for (const character of beginningsOf(item)) found.add(character)
    if (!isNullable(item)) break
  }
  return found
}

function common(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...left].filter((character) => right.has(character)))
}

function meets(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return common(left, right).size > 0
}

/**
 * Texts that are slow for a pattern: one character of each of its sets, every pair of them, and the literal
 * text the pattern begins with.
 */
export function hardTexts(source: string, flags: string): readonly string[] {
  const sets = [
    ...new Map(setsIn(parsePattern(source, flags)).map((set) => [[...set].join(''), set])).values(),
  ]
  const letters = [...new Set(sets.map(sampleOf))].slice(0, 12)
  const literal = /^[\w -]{2,}/.exec(source.replace(/^\^/, ''))?.[0] ?? ''
  const units = [
    ...letters,
    ...letters.flatMap((left) => letters.map((right) => left + right)).slice(0, 60),
    literal,
  ]
  return [...new Set(units)].filter((unit) => unit !== '')
}

function setsIn(node: PatternNode): readonly ReadonlySet<string>[] {
  if (node.type === 'character') return [node.set]
  if (node.type === 'repeat') return setsIn(node.body)
  if (node.type === 'edge') return []
  return (node.type === 'choice' ? node.options : node.items).flatMap(setsIn)
}

/** Prefers a visible character of the set, for readable output. */
function sampleOf(set: ReadonlySet<string>): string {
  return ALPHABET.slice(33).find((character) => set.has(character)) ?? [...set][0] ?? ''
}
