import type { Operations, OperationsNode } from '@tollgate/contract/operations'
import { useMemo } from 'react'
import { duration } from '../../shared/format/time.ts'
import { Section } from '../../shared/page/section.tsx'
import { Status } from '../../shared/status/status.tsx'
import type { Column, TableSource } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { errorShare, rate } from './figures.tsx'
import { operationMessages } from './i18n.ts'

type Source = Omit<TableSource<OperationsNode>, 'data'> & { readonly data?: Operations | undefined }

/** The processes that reported in the last hour, with their versions and heartbeats. */
export function Processes({ nodes }: { readonly nodes: Source }) {
  const t = operationMessages.use()
  const columns = useNodeColumns()
  const { data } = nodes
  return (
    <Section title={t('processes')}>
      <DataTable
        label={t('processes')}
        source={{ ...nodes, data: data && { rows: data.nodes, total: data.nodes.length } }}
        columns={columns}
        rowKey={(node: OperationsNode) => node.id}
        empty={{ title: t('processes.none') }}
      />
    </Section>
  )
}

function useNodeColumns(): readonly Column<OperationsNode>[] {
  const t = operationMessages.use()
  return useMemo(
    () => [
      {
        key: 'node',
        title: t('column.node'),
        phone: 'title',
        render: ({ host, pid }) => (
          <span className="code">
            {host} · {pid}
          </span>
        ),
      },
      {
        key: 'state',
        title: t('word.state'),
        phone: 'value',
        render: (node) =>
          node.is_alive ? (
            <Status tone="ok" label={node.is_leader ? t('leader') : t('alive')} />
          ) : (
            <Status tone="act" label={t('silent')} />
          ),
      },
      { key: 'version', title: t('column.version'), phone: 'detail', render: ({ version }) => version },
      momentColumn({
        key: 'seen',
        title: t('column.seen'),
        phone: 'more',
        seconds: (node) => node.seen_time,
      }),
      momentColumn({
        key: 'started',
        title: t('column.started'),
        phone: 'more',
        seconds: (node) => node.started_time,
      }),
      {
        key: 'calls',
        title: t('column.calls'),
        isNumber: true,
        phone: 'detail',
        render: (node) => `${rate(node.calls_per_second)}/s`,
      },
      {
        key: 'errors',
        title: t('figure.errors'),
        isNumber: true,
        phone: 'more',
        render: (node) => errorShare(node),
      },
      {
        key: 'latency',
        title: t('figure.latency'),
        isNumber: true,
        phone: 'more',
        render: (node) => (node.p95_ms === 0 ? '–' : `${duration(node.p50_ms)} · ${duration(node.p95_ms)}`),
      },
      {
        key: 'open',
        title: t('column.open'),
        isNumber: true,
        phone: 'more',
        render: (node) => node.in_flight,
      },
      {
        key: 'memory',
        title: t('column.memory'),
        isNumber: true,
        phone: 'more',
        render: ({ memory_bytes: bytes }) => (bytes === null ? '–' : `${Math.round(bytes / 1_048_576)} MiB`),
      },
    ],
    [t],
  )
}
