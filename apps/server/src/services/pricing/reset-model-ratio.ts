import type { pricingRoutes } from '@tollgate/contract/pricing'
import { writeOption } from '@tollgate/store/operations/options'
import { Answer, type Handler } from '../handler.ts'
import { defaultText } from '../../snapshots/default-text.ts'
import type { Services } from '../services.ts'

const KEY = 'ModelRatio'
const DONE = { en: 'Model ratios are back to the built-in prices', zh: '重置模型倍率成功' }

/** Written like any other option change: with a version, a history row and a notice. */
export function resetModelRatio(services: Services): Handler<typeof pricingRoutes.resetModelRatio> {
  const { store, clock, notices, audit } = services
  return async ({ actor, address, language }) => {
    const text = defaultText(KEY)
    await writeOption(store, {
      key: KEY,
      value: text,
      shownValue: text,
      shownBefore: (before) => before,
      nowMs: clock.nowMs(),
      actorId: actor.id,
    })
    await audit.write({ actorId: actor.id, action: 'reset', entity: 'option', entityId: KEY, address })
    await notices.publish('options')
    return new Answer({ data: null, message: DONE[language] })
  }
}
