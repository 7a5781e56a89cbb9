import { toggle } from '../kinds.ts'
import { section } from '../section.ts'

export const tokensSection = section({
  key: 'tokens',
  title: { en: 'Token keys', zh: '令牌密钥' },
  purpose: {
    en: 'Who may read whole keys, apart from this console.',
    zh: '除本控制台外，谁可以读取完整密钥。',
  },
  // These settings decide who is shown the keys of tokens.
  isGuarded: true,
  settings: {
    'token_setting.show_keys_to_old_consoles': toggle(true, {
      label: { en: 'Whole keys in other consoles', zh: '其他控制台显示完整密钥' },
      help: {
        en: 'Consoles of new-api, one-api and their forks copy a key from their list. For 12 hours after a sign-in they get the whole keys of the tokens of whoever is signed in. Off: previews only.',
        zh: 'new-api、one-api 及其分支的控制台直接从列表复制密钥：登录后 12 小时内向其返回本人令牌的完整密钥。关闭后只返回脱敏密钥。',
      },
    }),
    'token_setting.reveal_by_access_token': toggle(false, {
      label: { en: 'Keys by access token', zh: '访问令牌可读取密钥' },
      help: {
        en: 'Scripts and tools with an access token may read whole keys of the tokens of its owner. Whoever has the access token can then spend the balance.',
        zh: '允许脚本和工具使用访问令牌读取其所有者的完整令牌密钥。持有访问令牌者因此可以消费余额。',
      },
    }),
  },
})
