#error "ESP-IDF has <sys/poll.h> and no <poll.h>"
