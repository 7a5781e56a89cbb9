/**
 * Prefix in the signature field that marks redacted reasoning. Gemini has none, so it is written as a thought
 * with an empty text.
 */
export const REDACTED_PREFIX = 'sealed:'
