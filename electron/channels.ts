/** Names of the messages between preload and main process. */
export const channels = {
  connect: 'hinm:connect',
  message: 'hinm:message',
  command: 'hinm:command',
  chooseProject: 'hinm:choose-project',
} as const
