/** The path of a program, or `undefined`. */
export function findProgram(name: string): string | undefined
