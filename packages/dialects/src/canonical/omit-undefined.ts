/** The same type with each member that may be `undefined` made optional. */
export type OmitUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Omits members that are `undefined`: in the canonical form a value that was not set is an absent member. */
export function omitUndefined<T extends object>(members: T): OmitUndefined<T>
export function omitUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
