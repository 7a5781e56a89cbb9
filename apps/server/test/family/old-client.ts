import { z } from 'zod'
import type { Visitor } from '../harness.ts'

/** The header in which consoles of new-api and its forks send the user id. */
export type FamilyHeader = 'New-Api-User' | 'Veloera-User'

const answerSchema = z.looseObject({
  success: z.boolean().optional(),
  message: z.string().optional(),
  code: z.string().optional(),
  data: z.unknown().optional(),
  total: z.int().optional(),
})
export type OldAnswer = z.output<typeof answerSchema> & { readonly status: number }

/**
 * A console of new-api in the browser of this visitor: it sends its own user header instead of
 * `Tollgate-User`, and usually no language.
 */
export function oldConsole(visitor: Visitor, header: FamilyHeader = 'New-Api-User', language = '') {
  const headers = () => ({
    [header]: String(visitor.id),
    cookie: visitor.cookie,
    origin: visitor.address,
    'accept-language': language,
  })
  return async (method: string, path: string, body?: unknown): Promise<OldAnswer> => {
    const response = await fetch(visitor.address + path, {
      method,
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, ...answerSchema.parse(await response.json()) }
  }
}
