import type { ServerName } from './list.mjs'

export interface StartedServer {
  readonly url: string
  /** Ends the server and removes its data. */
  readonly stop: () => void
}

/** Starts a server of the list and resolves when it answers. */
export function startServer(name: ServerName): Promise<StartedServer>

/** `undefined` where the programs of the server are not installed. */
export function findVariant(
  name: ServerName,
): { readonly paths: Readonly<Record<string, string>> } | undefined
