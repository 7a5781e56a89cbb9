import { type MouseEvent, useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './picture.module.css'

interface PictureProps {
  readonly address: string
  readonly description: string
}

/**
 * An image in a text by somebody else. Loading it from another host reveals to that host that the text is
 * being read, and anything that the text encoded in the address; so it is loaded only after a click. The
 * referrer is never sent.
 */
export function Picture({ address, description }: PictureProps) {
  const host = foreignHost(address)
  if (host === undefined) return <img src={address} alt={description} referrerPolicy="no-referrer" />
  // A changed address requires a new click, also while the text is still streaming.
  return <ForeignPicture key={address} address={address} description={description} host={host} />
}

type State = 'asking' | 'loading' | 'failed'

function ForeignPicture({ address, description, host }: PictureProps & { readonly host: string }) {
  const t = sharedMessages.use()
  const [state, setState] = useState<State>('asking')
  if (state === 'loading')
    return (
      <img src={address} alt={description} referrerPolicy="no-referrer" onError={() => setState('failed')} />
    )
  const load = (event: MouseEvent) => {
    // The image may be inside a link, which the click must not follow.
    event.preventDefault()
    setState('loading')
  }
  return (
    <span className={styles.frame} title={address}>
      <Icon name="image" />
      <span className={styles.words}>
        {description !== '' && <span className={styles.description}>{description}</span>}
        <span className={styles.host}>
          {state === 'failed' ? t('picture.failed', { host }) : t('picture.from', { host })}
        </span>
      </span>
      <button type="button" className={styles.load} onClick={load}>
        {state === 'failed' ? t('retry') : t('picture.load')}
      </button>
    </span>
  )
}

/**
 * The other host from which an image would be loaded; `undefined` for an inline image or one from this site.
 */
function foreignHost(address: string): string | undefined {
  const url = URL.parse(address, location.href)
  return url === null || url.protocol === 'data:' || url.origin === location.origin ? undefined : url.host
}
