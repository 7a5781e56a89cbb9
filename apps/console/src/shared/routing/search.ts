import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type * as z from 'zod/mini'

/**
 * A schema of search parameters. Every field has a default (`.catch` or `.default`), so that no address
 * causes an error.
 */
export type SearchSchema<Search extends object = object> = z.ZodMiniType<Search>

export type SearchInput = Readonly<Record<string, string>>

/** Parses plain `?p=2&group=vip`; the schema of the page converts the types. */
export function parseSearch(text: string): SearchInput {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([key, value]): [string, string][] =>
    isWritten(value) ? [[key, String(value)]] : [],
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}

function isWritten(value: unknown): value is string | number | boolean {
  return value !== '' && ['string', 'number', 'boolean'].includes(typeof value)
}

/** The search parameters that must be in the address: those that differ from the page's defaults. */
export function withoutDefaults<Search extends object>(
  schema: SearchSchema<Search>,
  search: object,
): Record<string, unknown> {
  const defaults = new Map<string, unknown>(Object.entries(schema.parse({})))
  const parsed = Object.entries(schema.parse(search))
  return Object.fromEntries(parsed.filter(([key, value]) => value !== defaults.get(key)))
}

interface SearchChange {
  readonly replace?: boolean
  /** Keeps the scroll position, for changes that open something over the page. */
  readonly keepsScroll?: boolean
}

/**
 * State of a page that can be linked: filters, page, sort order. Setting merges the change and adds a history
 * entry unless `replace` is set.
 */
export function useSearchState<Search extends object>(
  schema: SearchSchema<Search>,
): readonly [Search, (change: Partial<Search>, options?: SearchChange) => void] {
  const raw: object = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = useMemo(() => schema.parse(raw), [schema, raw])
  const setSearch = useCallback(
    (change: Partial<Search>, options?: SearchChange) => {
      void navigate({
        to: '.',
        replace: options?.replace ?? false,
        ...(options?.keepsScroll === true && { hash: true, resetScroll: false, hashScrollIntoView: false }),
        search: (before: object) => withoutDefaults(schema, { ...before, ...change }),
      })
    },
    [navigate, schema],
  )
  return [search, setSearch]
}
