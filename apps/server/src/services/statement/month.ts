/** A month in UTC, from its first moment to that of the next month. */
export interface Month {
  readonly fromMs: number
  readonly untilMs: number
}

/** `text` is like `2026-11`; the contract validates it. */
export function monthOf(text: string): Month {
  const [year = 0, month = 0] = text.split('-').map(Number)
  return { fromMs: Date.UTC(year, month - 1), untilMs: Date.UTC(year, month) }
}

const DAY_MS = 86_400_000

/** Index 2 of November 2026 is `2026-11-03`. */
export function dayText({ fromMs }: Month, index: number): string {
  return new Date(fromMs + index * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
