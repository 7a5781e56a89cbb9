import { z } from 'zod'
import { anonymousWriting, defineRoute, nothing, ownBodyless, ownReading, siteReading } from './route.ts'
import { selfSchema } from './user.ts'

/** Signing in through a provider, and binding a provider's identity to an account. */

/** Providers that redirect the browser back with an authorization code. */
export const oauthProviderNames = ['github', 'oidc', 'linuxdo'] as const
export type OAuthProviderName = (typeof oauthProviderNames)[number]

export const signInProviderNames = [...oauthProviderNames, 'wechat', 'telegram'] as const
export type SignInProviderName = (typeof signInProviderNames)[number]

/** The `message` of a callback that bound an identity instead of signing in. */
export const BOUND_MESSAGE = 'bind'

const affCode = z.string().max(64).default('')

/** The query parameters of a provider's callback. Parameters that are not listed here are dropped. */
export const callbackQuery = z.object({
  code: z.string().max(4096).default(''),
  state: z.string().max(512).default(''),
  /** RFC 9207: the issuer that responds. Required from issuers that declare it. */
  iss: z.string().max(2048).optional(),
  error: z.string().max(200).optional(),
})

const TELEGRAM_FIELDS_MAX = 20

/** All fields of the widget unchanged, because all of them are signed. */
export const telegramQuery = z
  .object({
    id: z.string().max(20).default(''),
    auth_date: z.string().max(20).default(''),
    hash: z.string().max(128).default(''),
  })
  .catchall(z.string().max(1024))
  .refine((fields) => Object.keys(fields).length <= TELEGRAM_FIELDS_MAX)

const wechatCode = z.string().max(200).default('')

/**
 * A signed-in caller counts as such only with the user header; then these routes bind instead of signing in.
 */
const visiting = { ...anonymousWriting, method: 'GET', body: nothing } as const
const binding = { ...ownReading, rate: 'critical', changesState: true } as const

const callback = {
  ...visiting,
  guardedWhen: { condition: 'it links an account', signIn: 'recent' },
  query: callbackQuery,
  data: selfSchema.nullable(),
} as const

export const oauthRoutes = {
  state: defineRoute({
    ...visiting,
    signIn: 'recent',
    path: '/api/oauth/state',
    summary:
      'Starts a sign-in with a provider, or the linking of an account when signed in; valid once, for ten minutes, in this browser',
    query: z.object({
      /** Consoles written for new-api omit it and build the provider’s address themselves. */
      provider: z.enum(oauthProviderNames).optional(),
      aff: affCode,
    }),
    data: z.string(),
    extra: z.object({
      /** The provider's sign-in address to redirect to, when `provider` was given. */
      authorize_url: z.string().optional(),
    }),
  }),
  github: defineRoute({
    ...callback,
    path: '/api/oauth/github',
    summary:
      'Completes a sign-in with GitHub, or links the account: then `message` is "bind" and `data` null',
  }),
  oidc: defineRoute({
    ...callback,
    path: '/api/oauth/oidc',
    summary: 'Completes a sign-in with OpenID Connect, or links the account',
  }),
  linuxdo: defineRoute({
    ...callback,
    path: '/api/oauth/linuxdo',
    summary: 'Completes a sign-in with Linux DO, or links the account',
  }),
  wechat: defineRoute({
    ...visiting,
    path: '/api/oauth/wechat',
    summary: 'Signs in with a code from the operator’s WeChat account',
    query: z.object({ code: wechatCode, aff: affCode }),
    data: selfSchema,
  }),
  bindWechat: defineRoute({
    ...binding,
    signIn: 'recent',
    path: '/api/oauth/wechat/bind',
    summary: 'Links the WeChat account that the code was sent to',
    query: z.object({ code: wechatCode }),
    data: z.null(),
  }),
  telegram: defineRoute({
    ...visiting,
    path: '/api/oauth/telegram/login',
    summary: 'Signs in with the data of the Telegram widget; never creates an account',
    query: telegramQuery,
    data: selfSchema,
  }),
  bindTelegram: defineRoute({
    ...binding,
    signIn: 'recent',
    path: '/api/oauth/telegram/bind',
    summary: 'Links the Telegram account that used the widget',
    query: telegramQuery,
    data: z.null(),
  }),
  unbind: defineRoute({
    ...ownBodyless,
    signIn: 'recent',
    method: 'DELETE',
    path: '/api/oauth/:provider',
    summary: 'Unlinks an identity, unless it is the last way to sign in',
    params: z.object({ provider: z.enum(signInProviderNames) }),
    data: z.null(),
  }),
  discover: defineRoute({
    ...siteReading,
    access: 'root',
    rate: 'probe',
    path: '/api/oauth/oidc/discovery',
    summary: 'Reads the discovery document of an issuer, for the settings form',
    query: z.object({ url: z.string().max(2048) }),
    data: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      userinfo_endpoint: z.string(),
    }),
  }),
}
