import type { pricingRoutes } from '@tollgate/contract/pricing'
import { Answer, type Handler } from '../handler.ts'
import { storeOption } from '../option/change.ts'
import { defaultText } from '../../snapshots/default-text.ts'
import type { Services } from '../services.ts'

const KEY = 'ModelRatio'
const DONE = { en: 'Model ratios are back to the built-in prices', zh: '重置模型倍率成功' }

/** Written like any other option change: with a version, a history row and a notice. */
export function resetModelRatio(services: Services): Handler<typeof pricingRoutes.resetModelRatio> {
  return async (call) => {
    const text = defaultText(KEY)
    const write = { key: KEY, value: text, shownValue: text, shownBefore: (before: string) => before }
    await storeOption(services, call, { action: 'reset', write })
    return new Answer({ data: null, message: DONE[call.language] })
  }
}
