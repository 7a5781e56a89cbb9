import { migrations } from '../migrations/index.ts'
import { lastStep, refuseNewer } from './migrate.ts'
import { type ViewOptions, openViewOfAnyVersion } from './open-view.ts'

export interface SchemaState {
  /** Name for messages: the file, or the server and the database. */
  readonly name: string
  /** Number of the last step that the database has; 0 when it is empty. */
  readonly found: number
  /** Number of the last step that this version has. */
  readonly known: number
  readonly pending: readonly { readonly number: number; readonly name: string }[]
}

/**
 * Which migrations the next start would apply. Reads only. Rejects with a {@link
 * import('./errors.ts').StoreOpenError} when the database is missing, newer or of another program.
 */
export async function readSchemaState(options: ViewOptions): Promise<SchemaState> {
  const view = await openViewOfAnyVersion(options)
  try {
    const known = migrations.at(-1)?.number ?? 0
    const { number, isFinished } = await lastStep(view.db)
    if (number > known) refuseNewer(number, known)
    const applied = isFinished ? number : number - 1
    const pending = migrations.filter((step) => step.number > applied)
    return {
      name: view.name,
      found: number,
      known,
      pending: pending.map(({ number, name }) => ({ number, name })),
    }
  } finally {
    await view.close()
  }
}
