import type { Channel } from '@tollgate/contract/channel'
import { Label } from '../../../shared/status/status.tsx'
import { useChannelTypes } from '../api.ts'
import { Names } from '../cells.tsx'
import { listOf } from '../form-value.ts'
import { channelMessages } from '../i18n/index.ts'
import { defaultFirst } from '../tags/group-by-tag.ts'
import styles from './details.module.css'
import { ModelNames } from './model-names.tsx'
import { channelDetailMessages } from './i18n.ts'

/** Details of a channel that the columns leave out: its address and what it serves. */
export function ChannelFacts({ channel }: { readonly channel: Channel }) {
  const t = channelDetailMessages.use()
  const words = channelMessages.use()
  const usual = useChannelTypes().get(channel.type)?.base_url ?? ''
  return (
    <dl className={styles.facts}>
      <dt>{t('word.address')}</dt>
      <dd>
        <span className="code">{channel.base_url || usual || '–'}</span>
        {channel.base_url === '' && usual !== '' && <span className="muted"> {t('usual')}</span>}
      </dd>
      <dt>{words('word.models')}</dt>
      <dd>
        <ModelNames names={listOf(channel.models)} />
      </dd>
      <dt>{words('word.groups')}</dt>
      <dd>
        <Names names={defaultFirst(listOf(channel.group))} />
      </dd>
      <dt>{words('word.tag')}</dt>
      <dd>{channel.tag === '' ? <span className="muted">–</span> : <Label text={channel.tag} />}</dd>
      <dt>{words('word.key')}</dt>
      <dd className="code">{channel.key_preview || '–'}</dd>
    </dl>
  )
}
