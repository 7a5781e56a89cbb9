/** The same members; those that may be `undefined` may be absent instead. */
export type Told<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Leaves out what is `undefined`, because "not told" is an absent member and never a present one. */
export function told<T extends object>(members: T): Told<T>
export function told(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
