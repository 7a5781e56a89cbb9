import type { MailServices } from '../mail/services.ts'
import type { Lots } from './lots.ts'

export interface AccountServices extends MailServices {
  readonly lots: Lots
}
