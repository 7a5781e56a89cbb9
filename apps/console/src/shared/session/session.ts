import { create } from 'zustand'
import * as z from 'zod/mini'
import { isSigningInAgain } from './sign-in-again.ts'
import { readJson, removeKey, storageKeys, writeJson } from './storage.ts'

/** Roles, with the numbers that the server stores. */
export const role = { user: 1, admin: 10, root: 100 } as const

/**
 * The data about the signed-in user that the console stores. The server decides all permissions; this data
 * only decides what is shown.
 */
const storedUserSchema = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.catch(z.string(), ''),
  role: z.int(),
  group: z.catch(z.string(), 'default'),
  has_default_password: z.catch(z.boolean(), false),
})

export type SessionUser = z.infer<typeof storedUserSchema>

interface SessionState {
  readonly user: SessionUser | undefined
}

const useSessionStore = create<SessionState>(() => ({ user: storedUser() }))

globalThis.addEventListener?.('storage', (event) => {
  if (event.key === storageKeys.user) useSessionStore.setState({ user: storedUser() })
})

/**
 * Stores the user after a sign-in; the complete response is stored, under the key that consoles of new-api
 * use.
 */
export function signIn(user: unknown): void {
  writeJson(storageKeys.user, user)
  useSessionStore.setState({ user: storedUserSchema.parse(user) })
}

export function signOut(): void {
  removeKey(storageKeys.user)
  useSessionStore.setState({ user: undefined })
}

export function useSessionUser(): SessionUser | undefined {
  return useSessionStore((state) => state.user)
}

export function useIsAdmin(): boolean {
  return useSessionStore((state) => isAdmin(state.user))
}

/** For code outside components: request headers, route guards. */
export function sessionUser(): SessionUser | undefined {
  return useSessionStore.getState().user
}

export function isAdmin(user: SessionUser | undefined): boolean {
  return user !== undefined && user.role >= role.admin
}

function storedUser(): SessionUser | undefined {
  if (isSigningInAgain()) return undefined
  return storedUserSchema.safeParse(readJson(storageKeys.user)).data
}
