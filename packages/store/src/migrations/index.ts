import type { Migration } from '../migrate.ts'
import { ledgerTables } from './1-ledger.ts'
import { siteTables } from './2-site.ts'
import { nodes } from './3-nodes.ts'
import { deliveryTables } from './4-delivery.ts'
import { leases } from './5-leases.ts'
import { doorTables } from './6-doors.ts'
import { tradeTables } from './7-trade.ts'

/** In order; a new step gets the next number and its own file. */
export const migrations: readonly Migration[] = [
  ledgerTables,
  siteTables,
  nodes,
  deliveryTables,
  leases,
  doorTables,
  tradeTables,
]
