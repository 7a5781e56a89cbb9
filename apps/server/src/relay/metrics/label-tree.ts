/** A label value; numbers become text at the scrape. */
export type Label = string | number

/** The value of every label of what exceeds the limit. */
export const OTHER = 'other'

interface Branch<Counts> {
  readonly next: Map<Label, Branch<Counts>>
  counts: Counts | undefined
}

/**
 * One counter object for each combination of labels. A combination is found by nested maps, so counting a call
 * builds no text. At most `max` combinations are kept; all others are counted together.
 */
export class LabelTree<Counts> {
  readonly #root: Branch<Counts> = newBranch()
  readonly #open: () => Counts
  readonly #max: number
  readonly #width: number
  #size = 0
  #others: Counts | undefined

  constructor(options: { readonly width: number; readonly max: number; readonly open: () => Counts }) {
    this.#width = options.width
    this.#max = options.max
    this.#open = options.open
  }

  of(labels: readonly Label[]): Counts {
    let branch = this.#root
    for (const label of labels) {
      const next = branch.next.get(label)
      if (next === undefined) return this.#grow(labels)
      branch = next
    }
    return branch.counts ?? this.#grow(labels)
  }

  *entries(): Generator<readonly [readonly Label[], Counts]> {
    yield* walk(this.#root, [])
    if (this.#others !== undefined) yield [Array.from({ length: this.#width }, () => OTHER), this.#others]
  }

  #grow(labels: readonly Label[]): Counts {
    if (this.#size >= this.#max - 1) return (this.#others ??= this.#open())
    this.#size++
    let branch = this.#root
    for (const label of labels) {
      const next = branch.next.get(label) ?? newBranch<Counts>()
      branch.next.set(label, next)
      branch = next
    }
    return (branch.counts = this.#open())
  }
}

function newBranch<Counts>(): Branch<Counts> {
  return { next: new Map(), counts: undefined }
}

function* walk<Counts>(
  { next, counts }: Branch<Counts>,
  labels: readonly Label[],
): Generator<readonly [readonly Label[], Counts]> {
  if (counts !== undefined) yield [labels, counts]
  for (const [label, branch] of next) yield* walk(branch, [...labels, label])
}
