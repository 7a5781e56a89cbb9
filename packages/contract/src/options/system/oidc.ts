import { address, exactAddress } from '../address-kinds.ts'
import { secret, text, toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const oidcSection = section({
  key: 'oidc',
  title: { en: 'OIDC', zh: '配置 OIDC' },
  purpose: {
    en: 'Sign-in with any OpenID Connect or OAuth 2.0 provider.',
    zh: '通过任意 OpenID Connect 或 OAuth 2.0 提供方登录。',
  },
  callbackPath: '/oauth/oidc',
  // A person who controls the sign-in provider can sign in as every user bound to it.
  isGuarded: true,
  settings: {
    'oidc.enabled': toggle(false, {
      label: { en: 'OIDC sign-in', zh: '允许通过 OIDC 登录' },
      help: { en: 'Shows the OIDC button at sign-in.', zh: '在登录页显示 OIDC 按钮。' },
      needs: ['oidc.client_id', 'oidc.client_secret'],
      needsOneOf: [
        ['oidc.well_known'],
        ['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.issuer', 'oidc.jwks_uri'],
        ['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'],
      ],
    }),
    'oidc.well_known': address('', {
      label: { en: 'Well-known URL', zh: 'Well-Known URL' },
      help: {
        en: 'Where the provider publishes its configuration. With it, all endpoints below are known. Leave it empty for a provider that publishes none, and fill in its endpoints.',
        zh: '提供方公布配置的地址，以下各项均可由此获取。若提供方未公布配置，请留空并填写以下端点。',
      },
    }),
    'oidc.client_id': text('', 200, {
      label: { en: 'Client ID', zh: 'OIDC Client ID' },
      help: {
        en: 'The ID of the client that you registered with the provider.',
        zh: '您在提供方注册的客户端的 ID。',
      },
    }),
    'oidc.client_secret': secret({
      label: { en: 'Client secret', zh: 'OIDC Client Secret' },
      help: { en: 'Shown by the provider beside the client ID.', zh: '与客户端 ID 一起由提供方提供的密钥。' },
    }),
    'oidc.issuer': exactAddress({
      label: { en: 'Issuer', zh: '签发方（Issuer）' },
      help: {
        en: 'Only without a well-known URL: the issuer exactly as in the identity tokens (iss), including a slash at its end.',
        zh: '未填写 Well-Known URL 时使用：身份令牌中的签发方（iss），须完全一致，包括末尾的斜杠。',
      },
    }),
    'oidc.jwks_uri': exactAddress({
      label: { en: 'Key address (JWKS)', zh: '公钥地址（JWKS）' },
      help: {
        en: 'Only without a well-known URL: where the provider publishes the keys that check its identity tokens. With issuer and key address, sign-in uses identity tokens (OpenID Connect). Without them, it is plain OAuth 2.0: the user information endpoint says who somebody is.',
        zh: '仅在未填写 Well-Known URL 时使用：提供方公布公钥的地址，用于校验身份令牌。与签发方一并填写时按 OpenID Connect 登录；留空则按普通 OAuth 2.0 登录，由用户信息端点确认身份。',
      },
    }),
    'oidc.authorization_endpoint': exactAddress({
      label: { en: 'Authorization endpoint', zh: '授权端点' },
      help: {
        en: 'Where people are sent to sign in. Required without a well-known URL; otherwise an empty field follows the well-known URL.',
        zh: '用户登录时跳转的地址。未填写 Well-Known URL 时必填，否则留空即使用其中的地址。',
      },
    }),
    'oidc.token_endpoint': exactAddress({
      label: { en: 'Token endpoint', zh: '令牌端点' },
      help: {
        en: 'Where the gateway exchanges the sign-in code for a token. Required without a well-known URL; otherwise an empty field follows the well-known URL.',
        zh: '网关用授权码换取令牌的地址。未填写 Well-Known URL 时必填，否则留空即使用其中的地址。',
      },
    }),
    'oidc.user_info_endpoint': exactAddress({
      label: { en: 'User information endpoint', zh: '用户信息端点' },
      help: {
        en: 'Where names and e-mail addresses are read. Plain OAuth 2.0 also takes the unchangeable id (sub or id) from here and needs this address. With a well-known URL, an empty field follows it.',
        zh: '读取姓名和邮箱的地址。按普通 OAuth 2.0 登录时必填，还从此处读取不可变的用户标识（sub 或 id）。填写了 Well-Known URL 时，留空即使用其中的地址。',
      },
    }),
  },
})
