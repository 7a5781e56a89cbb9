const SOCKETS = 'apps/server/src/relay/sockets'
const REALTIME = 'packages/dialects/src/realtime'

/** Guards for sockets: what they may hold, how many there may be, and when they end. */
export const socketMutations = [
  {
    guard: 'the set of answers under way',
    corpus: 'parallel-answers',
    file: `${REALTIME}/open-answers.ts`,
    from: 'this.#open.add(opened)',
    to: 'this.#open.clear(), this.#open.add(opened)',
  },
  {
    guard: 'transcripts under way',
    corpus: 'parallel-answers',
    file: `${REALTIME}/open-transcripts.ts`,
    from: 'this.#open.set(item, opened)',
    to: 'this.#open.clear(), this.#open.set(item, opened)',
  },
  {
    guard: 'sockets that are no longer permitted end',
    corpus: 'revoked-sockets',
    file: `${SOCKETS}/open-sockets.ts`,
    from: 'if (reason !== undefined) socket.revoke(reason)',
    to: '',
  },
  {
    guard: 'sessions of an emptied account end',
    corpus: 'revoked-sockets',
    file: `${SOCKETS}/open-sockets.ts`,
    from: 'else this.#endSessions(emptied)',
    to: '',
  },
  {
    guard: 'a session of a channel that is switched off by hand',
    corpus: 'revoked-sockets',
    file: `${SOCKETS}/socket-permit.ts`,
    from: 'if (channel === undefined || channel.status === CHANNEL_STATUS.disabled)',
    to: 'if (channel === undefined)',
  },
  {
    guard: 'the addresses of a token with an open socket',
    corpus: 'revoked-sockets',
    file: `${SOCKETS}/socket-permit.ts`,
    from: 'if (token?.addresses !== undefined && !token.addresses.has(caller.address))',
    to: 'if (token?.addresses === undefined && caller.address === undefined)',
  },
  {
    guard: 'the sockets of a user',
    corpus: 'half-frames',
    file: `${SOCKETS}/open-sockets.ts`,
    from: 'if (count >= perUser)',
    to: 'if (count < 0)',
  },
  {
    guard: 'the sockets of a user without a balance',
    corpus: 'half-frames',
    file: `${SOCKETS}/open-sockets.ts`,
    from: "if (standing !== 'none') return { end }",
    to: 'if (standing !== undefined) return { end }',
  },
  {
    guard: 'the share of one user in half frames',
    corpus: 'half-frames',
    file: `${SOCKETS}/frame-budget.ts`,
    from: 'if (ofUser > held && ofUser + bytes > this.#userMax)',
    to: 'if (ofUser < 0)',
  },
  {
    guard: 'the share of users without a balance in half frames',
    corpus: 'half-frames',
    file: `${SOCKETS}/frame-budget.ts`,
    from: 'if (!hasBalance) this.#takeWithoutBalance(bytes)',
    to: '',
  },
  {
    guard: 'frames that stall or take too long',
    corpus: 'half-frames',
    file: `${SOCKETS}/frame-lease.ts`,
    from: 'if (now - this.#arrivedAt >= SILENT_MS || now - this.#beganAt >= FRAME_MS)',
    to: 'if (now < 0)',
  },
  {
    guard: 'a chunk that completes a frame is not freed',
    corpus: 'half-frames',
    file: `${SOCKETS}/frame-lease.ts`,
    from: 'this.#chunks.length = 0\n    return',
    to: 'return',
  },
  {
    guard: 'a refused socket is not read on',
    corpus: 'half-frames',
    file: `${SOCKETS}/close-socket.ts`,
    from: '// The system has the close frame by then, unless it takes nothing of this caller.\n  socket.terminate()',
    to: '',
  },
]
