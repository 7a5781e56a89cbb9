/** The dialect has no sealed thoughts: one is a thought without words, marked so in the place of its signature. */
export const SEALED = 'sealed:'
