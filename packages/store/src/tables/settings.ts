import type { Generated } from 'kysely'

export interface OptionTable {
  key: string
  /** Clear text, or encrypted when the option is a secret. */
  value: string
  version: number
  updated_ms: number
  updated_by: number
}

export interface OptionChangeTable {
  id: Generated<number>
  key: string
  before_value: string | null
  after_value: string
  version: number
  changed_ms: number
  changed_by: number
}

/** One row per published price book; a hold names its version. */
export interface PriceBookTable {
  version: Generated<number>
  content_hash: string
  /** JSON of all price options at the time of publication. */
  content: string
  created_ms: number
}

export interface SetupTable {
  id: number
  version: string
  initialized_at: number
}
