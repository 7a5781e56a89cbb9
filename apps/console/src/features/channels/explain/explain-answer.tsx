import { sourceOf } from '../../../shared/table/page-of.ts'
import type { channelInsightRoutes, ExplainedChannel } from '@tollgate/contract/channel-insight'
import { Alert } from 'antd'
import type { z } from 'zod'
import { Status, type Tone } from '../../../shared/status/status.tsx'
import type { Column } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import styles from './explain.module.css'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { type ChannelExplainKey, channelExplainMessages } from './i18n.ts'

export type Explanation = z.output<typeof channelInsightRoutes.explain.data>

interface ExplainAnswerProps {
  readonly answer: Explanation
  /** The model name as it was entered. */
  readonly asked: string
}

/**
 * The candidates and the excluded channels with their reasons, and how often each was chosen in the dry runs.
 */
export function ExplainAnswer({ answer, asked }: ExplainAnswerProps) {
  const t = channelExplainMessages.use()
  const { group, retries, refusal, unserved, draws, channels } = answer
  const columns = useColumnsOf(answer)
  return (
    <div className={styles.answer}>
      <h2 className={styles.title}>{t('answer', { model: asked, group, retries })}</h2>
      {answer.model !== asked && <p>{t('prefixCut', { model: answer.model })}</p>}
      {refusal !== '' && <Alert type="error" title={t('refused', { reason: refusal })} />}
      {answer.affinity && (
        <Alert
          type={answer.affinity.result === 'none' ? 'warning' : 'info'}
          title={affinityText(answer.affinity, t)}
          description={ruleText(answer, t)}
        />
      )}
      {unserved > 0 && (
        <Alert
          type="warning"
          title={
            unserved === draws ? t('nobody') : t('unserved', { percent: percent(unserved / draws), draws })
          }
        />
      )}
      <DataTable
        label={t('title')}
        source={sourceOf(channels)}
        columns={columns}
        rowKey={(channel: ExplainedChannel) => channel.channel_id}
        isRowMuted={({ tier }) => tier === undefined}
        empty={{ title: t('nobody') }}
      />
    </div>
  )
}

function useColumnsOf({ attempts, draws }: Explanation): readonly Column<ExplainedChannel>[] {
  const t = channelExplainMessages.use()
  return [
    {
      key: 'channel',
      title: t('word.channel'),
      phone: 'title',
      render: ({ channel_id: id, name }) => `#${id} ${name}`,
    },
    {
      key: 'standing',
      title: t('word.state'),
      phone: 'value',
      render: ({ standing }) => <Status tone={toneOf(standing)} label={t(`standing.${standing}`)} />,
    },
    { key: 'tier', title: t('column.tier'), isNumber: true, render: ({ tier }) => tier ?? '–' },
    {
      key: 'share',
      title: t('column.share'),
      isNumber: true,
      phone: 'detail',
      render: ({ tier, share }) => (tier === undefined ? '–' : `${percent(share)} %`),
    },
    {
      key: 'keys',
      title: t('column.keys'),
      isNumber: true,
      render: ({ keys, keys_ready: ready }) => t('keysOf', { ready, count: keys }),
    },
    ...attempts.map((drawn, place) => ({
      key: `try-${place}`,
      title: t('column.drawn', { try: place + 1 }),
      isNumber: true,
      phone: 'detail' as const,
      render: ({ channel_id: id }: ExplainedChannel) => {
        const count = drawn.find((each) => each.channel_id === id)?.count ?? 0
        return count === 0 ? '–' : `${percent(count / draws)} %`
      },
    })),
  ]
}

function toneOf(standing: ExplainedChannel['standing']): Tone {
  if (standing === 'candidate') return 'ok'
  if (standing === 'resting') return 'look'
  return standing === 'withdrawn' || standing === 'no-key' ? 'act' : 'idle'
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}

/** Whether the session of the call is bound to a channel, and whether the call would use it. */
function affinityText(
  { result, reason = 'rule', channel_id: channel, key }: NonNullable<Explanation['affinity']>,
  t: Translate<ChannelExplainKey>,
): string {
  if (result === 'none') return t(`affinity.none.${reason}`)
  if (result === 'new' || channel === undefined) return t('affinity.new')
  return t(`affinity.${result}`, { channel, key: key === undefined ? '–' : key + 1 })
}

/** The rule that decided, and the rules of the model where none did. */
function ruleText({ affinity, affinity_rules: rules }: Explanation, t: Translate<ChannelExplainKey>) {
  if (affinity?.rule !== undefined)
    return t(affinity.stays_on_failure ? 'affinity.ruleStays' : 'affinity.rule', { rule: affinity.rule })
  return rules.length === 0 ? undefined : t('affinity.rules', { rules: rules.join(', ') })
}
