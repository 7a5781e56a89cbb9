/** A month in UTC, from its first moment to the first of the next. */
export interface Month {
  readonly fromMs: number
  readonly untilMs: number
}

/** `2026-11`; checked by the contract. */
export function monthOf(text: string): Month {
  const [year = 0, month = 0] = text.split('-').map(Number)
  return { fromMs: Date.UTC(year, month - 1), untilMs: Date.UTC(year, month) }
}

const DAY_MS = 86_400_000

/** `2026-11-03` is the third day of its month: index 2. */
export function dayText({ fromMs }: Month, index: number): string {
  return new Date(fromMs + index * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
