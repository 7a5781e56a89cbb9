import { parts, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const DOMAINS = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

export const domainsSection = section({
  key: 'domains',
  title: { en: 'E-mail domains', zh: '邮箱域名白名单' },
  purpose: { en: 'Keeps throw-away addresses from registering.', zh: '防止使用一次性邮箱批量注册。' },
  // These settings decide who can register.
  isGuarded: true,
  settings: {
    EmailDomainRestrictionEnabled: toggle(false, {
      label: { en: 'Only listed domains', zh: '启用邮箱域名白名单' },
      help: { en: 'Only addresses in the domains below may register.', zh: '仅允许以下域名的邮箱注册。' },
      needs: ['EmailDomainWhitelist'],
    }),
    EmailAliasRestrictionEnabled: toggle(false, {
      label: { en: 'No e-mail aliases', zh: '限制邮箱别名' },
      help: {
        en: 'Refuses addresses with + or . before the @, which let one person have many addresses.',
        zh: '拒绝 @ 之前包含 + 或 . 的邮箱地址，以防一人注册多个账户。',
      },
    }),
    EmailDomainWhitelist: parts('list', DOMAINS.split(','), {
      label: { en: 'Domains', zh: '允许的邮箱域名' },
      help: {
        en: 'Mail domains whose addresses may register.',
        zh: '启用白名单后，只有这些域名的邮箱可以注册。',
      },
      fold: true,
      each: DOMAIN,
    }),
  },
})
