import { z } from 'zod'
import type { Visitor } from '../harness.ts'

/** The header by which consoles of the family name their user. */
export type FamilyHeader = 'New-Api-User' | 'Veloera-User'

const answerSchema = z.looseObject({
  success: z.boolean().optional(),
  message: z.string().optional(),
  code: z.string().optional(),
  data: z.unknown().optional(),
  total: z.int().optional(),
})
export type OldAnswer = z.output<typeof answerSchema> & { readonly status: number }

/** A console of the family in the browser of this visitor: its header instead of ours, and as usual no language. */
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
