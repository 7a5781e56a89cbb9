/**
 * Options that decide how an account is reached or where a stored secret goes: changing one, or reverting it from the
 * history, needs a recent sign-in. Whoever only has the super admin's access token could otherwise have reset links, sign-ins
 * or keys sent to themselves. A new option of the sections `login` and `mail`, every secret and every address belongs here, or
 * in the test's list of those that do not.
 */
export const guardedOptions: ReadonlySet<string> = new Set([
  // Where links of mails, callbacks of sign-ins and of payments lead.
  'ServerAddress',
  'CustomCallbackAddress',
  // The way of every mail, reset links among them, and where its password is sent.
  'SMTPServer',
  'SMTPPort',
  'SMTPSSLEnabled',
  'SMTPAccount',
  'SMTPFrom',
  'SMTPToken',
  // Sees webhooks and media, and is sent its key.
  'WorkerUrl',
  'WorkerValidKey',
  // Where people pay, and what proves that they did.
  'PayAddress',
  'EpayId',
  'EpayKey',
  'TopUpLink',
  // Chat front-ends are handed the key of a token.
  'Chats',
  // Who can sign in and register at all.
  'PasswordLoginEnabled',
  'PasswordRegisterEnabled',
  'RegisterEnabled',
  'SelfUseModeEnabled',
  'EmailVerificationEnabled',
  'EmailDomainRestrictionEnabled',
  'EmailAliasRestrictionEnabled',
  'EmailDomainWhitelist',
  'TurnstileCheckEnabled',
  'TurnstileSiteKey',
  'TurnstileSecretKey',
  // Whoever answers for a sign-in provider can sign in as everybody who is bound to it.
  'GitHubOAuthEnabled',
  'GitHubClientId',
  'GitHubClientSecret',
  'LinuxDOOAuthEnabled',
  'LinuxDOClientId',
  'LinuxDOClientSecret',
  'LinuxDOMinimumTrustLevel',
  'WeChatAuthEnabled',
  'WeChatServerAddress',
  'WeChatServerToken',
  'WeChatAccountQRCodeImageURL',
  'TelegramOAuthEnabled',
  'TelegramBotToken',
  'TelegramBotName',
  'oidc.enabled',
  'oidc.client_id',
  'oidc.client_secret',
  'oidc.well_known',
  'oidc.authorization_endpoint',
  'oidc.token_endpoint',
  'oidc.user_info_endpoint',
  // Whether chats are kept, and who may read them.
  'LogChatContentEnabled',
  'log_setting.chat_readers',
])
