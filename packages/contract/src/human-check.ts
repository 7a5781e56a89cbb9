import { z } from 'zod'

/**
 * Actions that may require a CAPTCHA. The widget gets the action, so that a token for one cannot be used for
 * another.
 */
export const humanActions = ['login', 'register', 'verification', 'reset'] as const
export type HumanAction = (typeof humanActions)[number]

/** The widget's token, in the query as in new-api; valid for one call. */
export const humanCheckQuery = z.object({ turnstile: z.string().max(4096).default('') })
