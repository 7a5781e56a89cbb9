import type { oauthRoutes } from '@tollgate/contract/oauth'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { useOnce } from '@tollgate/store/accounts/used-tokens'
import type { Handler } from '../handler.ts'
import { readSelf } from '../user/self.ts'
import { bindPerson } from './bind.ts'
import { providers, requireOpen } from './enabled-providers.ts'
import { knownUser } from './enter.ts'
import type { Person } from './oauth-provider.ts'
import type { OAuthServices } from './services.ts'
import { TELEGRAM_LIFETIME_MS, type TelegramFields, telegramId } from './telegram-check.ts'

/** Signs in only users who have bound their Telegram account before; it never creates an account. */
export function enterByTelegram(services: OAuthServices): Handler<typeof oauthRoutes.telegram> {
  return async ({ query, session, address, language }) => {
    const person = await personOf(services, query)
    const id = await knownUser(services, { person, address, language })
    if (id === undefined) throw problem('identity_not_bound', { provider: providers.telegram.label })
    await session.start(id, providers.telegram.label.en)
    return readSelf(services, id)
  }
}

/**
 * Unlike new-api, the response is not a redirect. The request carries the user header, which only a page of
 * our own can add, so that no other site can trigger it; our page navigates by itself.
 */
export function bindTelegram(services: OAuthServices): Handler<typeof oauthRoutes.bindTelegram> {
  return async ({ query, actor, address, language }) => {
    const person = await personOf(services, query)
    await bindPerson(services, { person, userId: actor.id, address, language })
    return null
  }
}

/** Verifies the message and marks it as used. */
async function personOf(services: OAuthServices, fields: TelegramFields): Promise<Person> {
  const { options, clock, store } = services
  requireOpen(options, 'telegram')
  const nowMs = clock.nowMs()
  const subject = telegramId(fields, { botToken: options.get('TelegramBotToken'), nowMs })
  if (subject === undefined) throw problem('telegram_data_refused')
  const markHash = sha256Hex(`telegram:${fields['hash']}`)
  if (!(await useOnce(store, { markHash, expiresMs: nowMs + 2 * TELEGRAM_LIFETIME_MS })))
    throw problem('telegram_data_refused')
  return {
    identity: { provider: 'telegram', issuer: '', subject, formerSubjects: [subject] },
    displayName: 'Telegram User',
  }
}
