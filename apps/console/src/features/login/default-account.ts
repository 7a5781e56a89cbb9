/** What old releases of the family were delivered with; an imported database may still have it. */
export const DEFAULT_ACCOUNT = { username: 'root', password: '123456' } as const
