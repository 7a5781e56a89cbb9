import { z } from 'zod'

/**
 * What a visitor may be asked to prove to be a person for. The widget is given the action, so that a token for one
 * opens nothing else.
 */
export const humanActions = ['login', 'register', 'verification', 'reset'] as const
export type HumanAction = (typeof humanActions)[number]

/** The widget's token, in the query as in this family; good for one call. */
export const humanCheckQuery = z.object({ turnstile: z.string().max(4096).default('') })
