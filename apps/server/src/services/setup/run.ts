import {
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  USERNAME_CHARACTERS_MAX,
  passwordSchema,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import type { setupRoutes } from '@tollgate/contract/setup'
import { USER_ROLE } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { SETUP_ACTION, isSetUp, writeSetup } from '@tollgate/store/accounts/setup'
import type { NewUser } from '@tollgate/store/accounts/user-changes'
import { hasRootUser } from '@tollgate/store/accounts/users'
import { type Call, type Handler, Answer } from '../handler.ts'
import type { SessionServices } from '../session/services.ts'
import { creditSetupRoot } from './root-credit.ts'
import type { SetupToken } from './setup-token.ts'

export interface SetupServices extends SessionServices {
  readonly version: string
  readonly setupToken: SetupToken
}

/** The first-run setup over HTTP. It does not sign anybody in. */
export function runSetup(services: SetupServices): Handler<typeof setupRoutes.run> {
  const { store, setupToken } = services
  return async ({ body, address, language, isLocal }) => {
    if (await isSetUp(store)) throw problem('setup_already_done')
    if (!isLocal && !setupToken.isRight(body.setup_token)) throw problem('setup_token_wrong')
    await setUp(services, body, address)
    return new Answer({ data: null, message: language === 'zh' ? '系统初始化成功' : 'The setup is done' })
  }
}

export type SetupBody = Omit<Call<typeof setupRoutes.run>['body'], 'setup_token'>
export type SetupParts = Pick<
  SetupServices,
  'store' | 'ledger' | 'clock' | 'notices' | 'version' | 'passwords'
>

/**
 * Performs the first-run setup. If two requests arrive at once, the primary key of the setup row lets one
 * succeed, and the other gets an error that the setup is done.
 */
export async function setUp(services: SetupParts, body: SetupBody, address: string): Promise<void> {
  const { store, clock, notices, version } = services
  if (await isSetUp(store)) throw problem('setup_already_done')
  const root = (await hasRootUser(store)) ? undefined : await newRoot(services, body)
  const nowMs = clock.nowMs()
  const write = {
    version,
    nowMs,
    root,
    options: {
      SelfUseModeEnabled: String(body.SelfUseModeEnabled),
      DemoSiteEnabled: String(body.DemoSiteEnabled),
    },
    audit: auditRow({ nowMs, address }),
  }
  await writeSetup(store, write).catch(async (error: unknown) => {
    if (await isSetUp(store)) throw problem('setup_already_done', {}, { cause: error })
    throw error
  })
  await creditSetupRoot(services)
  await notices.publish('options')
  await notices.publish('users')
}

async function newRoot({ passwords, clock }: SetupParts, body: SetupBody): Promise<NewUser> {
  const username = usernameSchema.safeParse(body.username)
  if (!username.success) throw problem('setup_username_invalid', { max: USERNAME_CHARACTERS_MAX })
  if (body.password !== body.confirmPassword) throw problem('setup_passwords_differ')
  if (!passwordSchema.safeParse(body.password).success)
    throw problem('setup_password_invalid', { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX })
  return {
    username: username.data,
    password_hash: await passwords.hash(body.password),
    display_name: 'Root User',
    role: USER_ROLE.root,
    created_ms: clock.nowMs(),
  }
}

function auditRow({ nowMs, address }: { nowMs: number; address: string }) {
  return {
    actor_id: 0,
    action: SETUP_ACTION,
    entity: 'user',
    entity_id: '',
    before_json: null,
    after_json: null,
    address,
    created_ms: nowMs,
  }
}
