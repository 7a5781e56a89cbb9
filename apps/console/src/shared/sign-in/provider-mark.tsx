import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types'
import GithubFilled from '@ant-design/icons-svg/es/asn/GithubFilled'
import WechatFilled from '@ant-design/icons-svg/es/asn/WechatFilled'
import type { SignInProviderName } from '@tollgate/contract/oauth'
import { Icon } from '../icon/icon.tsx'
import styles from './providers.module.css'

/** The logo of a provider. It is decorative: the button contains the name as text. */
export function ProviderMark({ provider }: { readonly provider: SignInProviderName }) {
  if (provider === 'github') return <BrandMark icon={GithubFilled} />
  if (provider === 'wechat') return <BrandMark icon={WechatFilled} />
  return provider === 'linuxdo' ? <LinuxDoMark /> : <Icon name="key" />
}

/**
 * Uses only the paths of the icon: the library's icon components would add its styles to pages that do not
 * use the library.
 */
function BrandMark({ icon: { icon } }: { readonly icon: IconDefinition }) {
  const { attrs, children = [] }: AbstractNode = typeof icon === 'function' ? icon('', '') : icon
  return (
    <svg className={styles.mark} viewBox={attrs['viewBox']} width={18} height={18} aria-hidden="true">
      {children.map((path) => (
        <path key={path.attrs['d']} d={path.attrs['d']} />
      ))}
    </svg>
  )
}

/** A disc with three bands. */
function LinuxDoMark() {
  return (
    <svg viewBox="0 0 18 18" width={18} height={18} aria-hidden="true">
      <circle cx="9" cy="9" r="8.5" fill="#f0f0f0" stroke="#1c1c1e" strokeOpacity="0.2" />
      <path fill="#1c1c1e" d="M1.4 6a8.2 8.2 0 0 1 15.2 0Z" />
      <path fill="#ffb003" d="M1.4 12a8.2 8.2 0 0 0 15.2 0Z" />
    </svg>
  )
}
