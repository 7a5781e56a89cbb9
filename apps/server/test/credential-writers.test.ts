import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RouteDefinition } from '@tollgate/contract/route'
import { routes } from '@tollgate/contract/routes'
import { describe, expect, test } from 'vitest'

/**
 * Passwords, addresses, access tokens, sign-in bindings and settings are written only by certain functions of
 * the store. Every service that uses one is listed here with the routes it serves; each route has a guard, or
 * a reason why it needs none. A new writer fails this test until it is added to the list.
 */

/** Writes to the tables that hold sign-in data of accounts and secrets. */
const WRITES = /\b(insertInto|updateTable|deleteFrom)\(\s*'(users|identities|options)'/

/** Functions of the store that write these tables, as found by the scan below. */
const WRITERS = [
  'bindIdentity',
  'insertUser',
  'insertUserWithIdentity',
  'insertUsersWithIds',
  'removeOptions',
  'setAccessTokenHash',
  'setEmail',
  'unbindIdentity',
  'updateManagedUser',
  'updateUser',
  'writeOption',
  'writeSetup',
]

/** Functions that write other columns of a user, or that only precede a private function that writes. */
const HARMLESS = new Set([
  'countInvited',
  'lastUserId',
  'noteCheckIn',
  'markDefaultPassword',
  'setAffCode',
  'setSetting',
])

type Writer =
  | readonly RouteDefinition[]
  | { readonly routes: readonly RouteDefinition[]; readonly why: string }

const { account, accountSafety, adminUser, alert, mail, oauth, option, optionHistory, session, setup, user } =
  routes

/** Paths below `apps/server/src`. */
const SERVICES: Readonly<Record<string, Writer>> = {
  'services/user/update-self.ts': [user.updateSelf],
  'services/user/access-token.ts': [user.resetAccessToken, user.resetAccessTokenByGet],
  'services/mail/bind-email.ts': [mail.bindEmail, mail.unbindEmail],
  'services/oauth/bind.ts': [oauth.github, oauth.oidc, oauth.linuxdo, oauth.bindWechat, oauth.bindTelegram],
  'services/oauth/unbind.ts': [oauth.unbind],
  'services/admin-user/update.ts': [adminUser.update],
  // It also serves the reset of model ratios, which writes one setting, a price.
  'services/option/change.ts': [option.update, optionHistory.revert],
  'services/alert/change-receivers.ts': [alert.createReceiver, alert.updateReceiver, alert.removeReceiver],
  'services/account/remove.ts': [account.remove],
  'services/account/access-token.ts': {
    routes: [account.removeAccessToken],
    why: 'it only ends the access token, which whoever holds it may do',
  },
  'services/admin-user/manage.ts': {
    routes: [adminUser.manage, adminUser.remove],
    why: 'role, status and deactivation open no account to anybody',
  },
  'services/account-safety/undo-email.ts': {
    routes: [accountSafety.undoEmail],
    why: 'the link that was mailed is the proof',
  },
  'services/mail/reset-password.ts': {
    routes: [mail.resetPassword],
    why: 'the link that was mailed is the proof',
  },
  'services/oauth/register-person.ts': {
    routes: [oauth.github, oauth.oidc, oauth.linuxdo, oauth.wechat],
    why: 'it makes a new account',
  },
  'services/session/create-account.ts': {
    routes: [session.register, adminUser.create],
    why: 'it makes a new account',
  },
  'services/session/login.ts': {
    routes: [session.login],
    why: 'it stores the same password with a newer hash',
  },
  'services/setup/run.ts': { routes: [setup.run], why: 'there is no account yet' },
  'commands/import/users.ts': { routes: [], why: 'a command of the operator, on the machine itself' },
  'app/move-alert-receivers.ts': { routes: [], why: 'a start moves settings of an earlier version' },
  'commands/import/options.ts': { routes: [], why: 'a command of the operator, on the machine itself' },
}

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))
const STORE = fileURLToPath(new URL('../../../packages/store/src/', import.meta.url))

function sourcesOf(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('migrations/'))
    .map((file) => ({ file, text: readFileSync(folder + file, 'utf8') }))
}

/** Each exported function with the text up to the next one. */
function functionsOf(text: string): readonly { readonly name: string; readonly body: string }[] {
  return text.split(/^(?=export )/m).flatMap((body) => {
    const name = /^export (?:async )?function (\w+)/.exec(body)?.[1]
    return name === undefined ? [] : [{ name, body }]
  })
}

test('the functions of the store that write credentials are the ones listed here', () => {
  const found = sourcesOf(STORE).flatMap(({ text }) =>
    functionsOf(text).filter(({ body }) => WRITES.test(body)),
  )
  const names = found.map(({ name }) => name).filter((name) => !HARMLESS.has(name))
  expect(names.toSorted()).toEqual(WRITERS.toSorted())
})

test('every service that writes credentials is listed here with its routes', () => {
  const uses = new RegExp(`^import [^;]*?\\b(${WRITERS.join('|')})\\b[^;]*?from '@tollgate/store/`, 'm')
  const writers = sourcesOf(SOURCES).filter(({ text }) =>
    (text.match(/^import [\s\S]*?from '[^']+'$/gm) ?? []).some((line) => uses.test(line)),
  )
  expect(writers.map(({ file }) => file).toSorted()).toEqual(Object.keys(SERVICES).toSorted())
})

describe.each(Object.entries(SERVICES))('%s has guarded routes or a reason for none', (_file, writer) => {
  const isExcused = 'why' in writer
  test(isExcused ? `needs no guard: ${writer.why}` : 'serves guarded routes only', () => {
    const served = isExcused ? writer.routes : writer
    if (!isExcused) expect(served.length).toBeGreaterThan(0)
    const open = served.filter((route) => route.signIn === 'any' && route.guardedWhen === undefined)
    if (!isExcused) expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})
