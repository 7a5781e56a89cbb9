import type { Command } from './command.ts'

interface Verb {
  /** One line for the overview. */
  readonly summary: string
  load(): Promise<{ readonly command: Command }>
}

/** The commands of the program. `start` comes first because it is the one that runs without a name. */
export const verbs = {
  start: { summary: 'starts the gateway', load: () => import('./start/index.ts') },
  setup: { summary: 'creates the super admin without a browser', load: () => import('./setup/index.ts') },
  audit: { summary: "checks the ledger's invariants", load: () => import('./audit/index.ts') },
  recompute: {
    summary: 'computes the charges of the last days again',
    load: () => import('./recompute/index.ts'),
  },
  backup: { summary: 'copies the embedded database', load: () => import('./backup/index.ts') },
  verify: { summary: 'checks that a backup is whole', load: () => import('./verify/index.ts') },
  restore: { summary: 'puts a backup in place', load: () => import('./restore/index.ts') },
  'mark-copy': {
    summary: 'marks a database as a copy, which does nothing outside',
    load: () => import('./mark-copy/index.ts'),
  },
  confirm: {
    summary: 'confirms a restored or copied database as the original',
    load: () => import('./confirm/index.ts'),
  },
  export: { summary: 'writes everything as JSON lines', load: () => import('./export/index.ts') },
  import: { summary: 'brings new-api or one-api over', load: () => import('./import/index.ts') },
  move: { summary: 'copies a Tollgate database to another engine', load: () => import('./move/index.ts') },
  migrate: { summary: 'brings the tables up to date', load: () => import('./migrate/index.ts') },
  openapi: {
    summary: 'prints the OpenAPI document of the admin API',
    load: () => import('./openapi/index.ts'),
  },
} as const satisfies Readonly<Record<string, Verb>>

export function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name)
}

export function overview(): string {
  const lines = Object.entries<Verb>(verbs).map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  return `tollgate [command] [options]

${lines.join('\n')}

Without a command the gateway starts. tollgate <command> --help describes each. Settings are environment variables, or
a file .env in the working directory: PORT, SQLITE_PATH, SQL_DSN and others.
`
}
