export type ServerName = 'postgres' | 'mysql' | 'redis' | 'nats'

/** What tests read of a row of the list. */
export interface ServerRow {
  readonly label: string
  readonly variable?: string
  readonly usual?: string
}

export const SERVERS: Readonly<Record<ServerName, ServerRow>>
