import type { Reporter, TestModule } from 'vitest/node'
import { isOfRun, isOfRunBefore, newRun, TEST_RUN } from './database-names.ts'

/** Databases of a run that began longer ago than any run takes were left by one that was killed. */
const ABANDONED_S = 12 * 3600

/**
 * Drops the databases of a test run after its last test that uses any. To drop one takes little CPU time but
 * waits for the disk, and for minutes afterwards a file system such as ext4 is slow to create the 300 files of
 * another one: copies took 0.5 s while each test dropped its databases at once, and take 0.1 s now.
 *
 * A reporter of Vitest, because only reporters learn when the next project begins.
 */
export class LeftDatabases implements Reporter {
  readonly #run = newRun()
  readonly #lastProject: string
  #dropping: Promise<void> | undefined

  /** @param lastProject runs after all others and uses no databases on servers */
  constructor(lastProject: string) {
    this.#lastProject = lastProject
  }

  onInit(): void {
    process.env[TEST_RUN] = this.#run
  }

  onTestModuleStart({ project }: TestModule): void {
    if (project.name === this.#lastProject) this.#dropping ??= this.#drop()
  }

  async onTestRunEnd(): Promise<void> {
    await this.#dropping
    this.#dropping = undefined
    // Also what was created since, and by a run without that project.
    await this.#drop()
  }

  /** A database that cannot be dropped fails no test; a later run drops it. */
  async #drop(): Promise<void> {
    const { dropDatabases } = await import('./databases.ts')
    try {
      await dropDatabases((name) => isOfRun(name, this.#run) || isOfRunBefore(name, ABANDONED_S))
    } catch (error) {
      process.stderr.write(`Databases of this test run were left on a server: ${String(error)}\n`)
    }
  }
}
