import type { Egress } from '@tollgate/egress/egress'
import type { ReceivePorts } from '../stations/attempt/receive.ts'
import type { BodyBudget } from '../stations/admit/body-budget.ts'
import type { BodyReader } from '../threads/body-reader.ts'
import type { Watch } from '../watch.ts'

export interface SessionPorts extends ReceivePorts {
  readonly egress: Pick<Egress, 'socket'>
  readonly watch: Watch
  readonly bodies: BodyBudget
  readonly bodyReader: BodyReader
}
