import type { oauthRoutes } from '@tollgate/contract/oauth'
import { parseJson } from '@tollgate/kit/json'
import { Problem, problem } from '@tollgate/problems/problem'
import { z } from 'zod'
import type { Handler } from '../handler.ts'
import { bindPerson } from './bind.ts'
import { providers, requireOpen } from './enabled-providers.ts'
import { SIGN_IN_BYTES_MAX, SIGN_IN_TIMEOUT_MS } from './egress-fetch.ts'
import { enter } from './enter.ts'
import type { Person } from './oauth-provider.ts'
import type { OAuthServices } from './services.ts'

/**
 * The operator's WeChat server tells which WeChat user a code belongs to. People get the code there and type
 * it in here.
 */

const answerSchema = z.object({
  success: z.boolean(),
  data: z.string().trim().max(255).nullish(),
})
const { label } = providers.wechat

export function enterByWechat(services: OAuthServices): Handler<typeof oauthRoutes.wechat> {
  return async ({ query, session, address, language }) => {
    const person = await ownerOf(services, query.code)
    return enter(services, { person, affCode: query.aff, session, address, language })
  }
}

export function bindWechat(services: OAuthServices): Handler<typeof oauthRoutes.bindWechat> {
  return async ({ query, actor, address, language }) => {
    const person = await ownerOf(services, query.code)
    await bindPerson(services, { person, userId: actor.id, address, language })
    return null
  }
}

async function ownerOf(services: OAuthServices, typed: string): Promise<Person> {
  requireOpen(services.options, 'wechat')
  const code = typed.trim()
  if (code === '') throw problem('verification_code_wrong')
  const subject = await ask(services, code)
  if (subject === '') throw problem('verification_code_wrong')
  return {
    identity: { provider: 'wechat', issuer: '', subject, formerSubjects: [subject] },
    displayName: 'WeChat User',
  }
}

/** Returns "" when the server does not know the code. The server's error text is not passed on. */
async function ask({ egress, options }: OAuthServices, code: string): Promise<string> {
  const url = `${options.get('WeChatServerAddress')}/api/wechat/user?${new URLSearchParams({ code }).toString()}`
  const answer = await egress
    .exchange({
      method: 'GET',
      url,
      headers: { authorization: options.get('WeChatServerToken') },
      timeoutMs: SIGN_IN_TIMEOUT_MS,
      bytesMax: SIGN_IN_BYTES_MAX,
    })
    .catch((cause: unknown) => {
      if (!(cause instanceof Problem)) throw cause
      throw problem('door_unreachable', { provider: label }, { cause })
    })
  const body = answerSchema.safeParse(parseJson(answer.body))
  if (answer.status !== 200 || !body.success) throw problem('door_profile_unusable', { provider: label })
  return body.data.success ? (body.data.data ?? '') : ''
}
