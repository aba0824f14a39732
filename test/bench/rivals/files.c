/* What a program without any runtime needs for the same work; each mode measures itself and prints milliseconds.
     files send DIR COUNT BYTES      temporary file, write, rename, COUNT times
     files promise DIR COUNT BYTES   the same as a durable send promises: file, fdatasync, two names, fsync of the folder
     files batch DIR COUNT BYTES     COUNT files as one durable batch promises them: each flushed, four at a time, and two names, one fsync of the folder
     files commit DIR COUNT BYTES    the same as a durable commit promises: version and copy flushed, the folder, the acknowledgment
     files read DIR                  open, fstat, read, close of every *.json in DIR; the listing is not counted
     files count FILE LOCK TIMES     under flock: read FILE, add one to its lockVersion, temporary file, rename */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}


/* Descriptor of a new file with these bytes. */
static int written(const char *file, const char *bytes, size_t length) {
  int descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY, 0444);
  if (descriptor < 0 || write(descriptor, bytes, length) != (ssize_t)length) fail(file);
  return descriptor;
}

static void flush_folder(const char *dir) {
  int folder = open(dir, O_RDONLY);
  if (folder < 0 || fsync(folder) != 0) fail(dir);
  close(folder);
}

static void write_whole(const char *file, const char *bytes, size_t length) {
  close(written(file, bytes, length));
}

static double send_files(const char *dir, int count, size_t length) {
  char *bytes = malloc(length), temporary[4096], name[4096];
  memset(bytes, 'x', length);
  double begun = now();
  for (int i = 0; i < count; i++) {
    snprintf(temporary, sizeof temporary, "%s/.%d.tmp", dir, i);
    snprintf(name, sizeof name, "%s/2026-01-01T000000Z-report-progress-of-part-%d.json", dir, i);
    write_whole(temporary, bytes, length);
    if (rename(temporary, name) != 0) fail(name);
  }
  return now() - begun;
}

static double promise_files(const char *dir, int count, size_t length) {
  char *bytes = malloc(length), temporary[4096], name[4096], record[4096];
  memset(bytes, 'x', length);
  double begun = now();
  for (int i = 0; i < count; i++) {
    snprintf(temporary, sizeof temporary, "%s/.%d.tmp", dir, i);
    snprintf(name, sizeof name, "%s/2026-01-01T000000Z-report-progress-of-part-%d.json", dir, i);
    snprintf(record, sizeof record, "%s.record", name);
    int descriptor = written(temporary, bytes, length);
    if (fdatasync(descriptor) != 0) fail(temporary);
    close(descriptor);
    if (link(temporary, name) != 0) fail(name);
    flush_folder(dir);
    if (link(temporary, record) != 0 || unlink(temporary) != 0) fail(record);
  }
  return now() - begun;
}

/* As many flushes are under way together as threads do a Node program's calls by default. */
enum { flushers = 4 };

struct share {
  const int *descriptors;
  int first, count;
};

static void *flush_share(void *given) {
  const struct share *share = given;
  for (int i = share->first; i < share->count; i += flushers)
    if (fdatasync(share->descriptors[i]) != 0) fail("fdatasync");
  return NULL;
}

static double batch_files(const char *dir, int count, size_t length) {
  char *bytes = malloc(length), temporary[4096], name[4096], record[4096];
  int *descriptors = malloc(count * sizeof *descriptors);
  pthread_t threads[flushers];
  struct share shares[flushers];
  memset(bytes, 'x', length);
  double begun = now();
  for (int i = 0; i < count; i++) {
    snprintf(temporary, sizeof temporary, "%s/.%d.tmp", dir, i);
    descriptors[i] = written(temporary, bytes, length);
  }
  for (int i = 0; i < flushers; i++) {
    shares[i] = (struct share){descriptors, i, count};
    if (pthread_create(&threads[i], NULL, flush_share, &shares[i]) != 0) fail("thread");
  }
  for (int i = 0; i < flushers; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; i++) {
    close(descriptors[i]);
    snprintf(temporary, sizeof temporary, "%s/.%d.tmp", dir, i);
    snprintf(name, sizeof name, "%s/2026-01-01T000000Z-report-progress-of-part-%d.json", dir, i);
    snprintf(record, sizeof record, "%s.record", name);
    if (link(temporary, name) != 0 || link(temporary, record) != 0 || unlink(temporary) != 0) fail(name);
  }
  flush_folder(dir);
  return now() - begun;
}

static double commit_files(const char *dir, int count, size_t length) {
  char *bytes = malloc(length), claim[4096], version[4096], copy[4096], published[4096], seen[4096], ack[4096];
  memset(bytes, 'x', length);
  snprintf(published, sizeof published, "%s/published.json", dir);
  double begun = now();
  for (int i = 0; i < count; i++) {
    snprintf(claim, sizeof claim, "%s/.%d.claim", dir, i);
    snprintf(version, sizeof version, "%s/%d.json", dir, i);
    snprintf(copy, sizeof copy, "%s/.%d.tmp", dir, i);
    snprintf(seen, sizeof seen, "%s/.%d.ack", dir, i);
    snprintf(ack, sizeof ack, "%s/signal-%d.json.ack", dir, i);
    int descriptor = written(claim, bytes, length);
    if (fdatasync(descriptor) != 0) fail(claim);
    close(descriptor);
    if (link(claim, version) != 0 || unlink(claim) != 0) fail(version);
    descriptor = written(copy, bytes, length);
    if (fdatasync(descriptor) != 0) fail(copy);
    close(descriptor);
    flush_folder(dir);
    if (rename(copy, published) != 0) fail(published);
    write_whole(seen, bytes, length < 76 ? length : 76);
    if (link(seen, ack) != 0 || unlink(seen) != 0) fail(ack);
  }
  return now() - begun;
}

static double read_files(const char *dir) {
  DIR *folder = opendir(dir);
  if (folder == NULL) fail(dir);
  size_t count = 0, room = 1024;
  char **names = malloc(room * sizeof *names);
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    if (count == room) names = realloc(names, (room *= 2) * sizeof *names);
    names[count++] = strdup(entry->d_name);
  }
  closedir(folder);
  if (chdir(dir) != 0) fail(dir);
  double begun = now();
  for (size_t i = 0; i < count; i++) {
    struct stat about;
    int descriptor = open(names[i], O_RDONLY);
    if (descriptor < 0 || fstat(descriptor, &about) != 0) fail(names[i]);
    char *bytes = malloc(about.st_size);
    if (read(descriptor, bytes, about.st_size) != about.st_size) fail(names[i]);
    free(bytes);
    close(descriptor);
  }
  return now() - begun;
}

static double count_up(const char *file, const char *lock, int times) {
  static char text[1 << 20], next[1 << 20];
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.%d.tmp", file, (int)getpid());
  double begun = now();
  for (int i = 0; i < times; i++) {
    int guard = open(lock, O_CREAT | O_RDWR, 0644);
    if (guard < 0 || flock(guard, LOCK_EX) != 0) fail(lock);
    int descriptor = open(file, O_RDONLY);
    ssize_t length = read(descriptor, text, sizeof text - 1);
    if (length < 0) fail(file);
    close(descriptor);
    text[length] = 0;
    char *field = strstr(text, "\"lockVersion\":"), *rest;
    if (field == NULL) fail("lockVersion");
    long version = strtol(field + 14, &rest, 10);
    int total = snprintf(next, sizeof next, "%.*s %ld%s", (int)(field + 14 - text), text, version + 1, rest);
    write_whole(temporary, next, total);
    if (rename(temporary, file) != 0) fail(file);
    close(guard);
  }
  return now() - begun;
}

int main(int count, char **words) {
  if (count == 5 && strcmp(words[1], "send") == 0) {
    printf("%f\n", send_files(words[2], atoi(words[3]), strtoul(words[4], NULL, 10)));
  } else if (count == 5 && strcmp(words[1], "promise") == 0) {
    printf("%f\n", promise_files(words[2], atoi(words[3]), strtoul(words[4], NULL, 10)));
  } else if (count == 5 && strcmp(words[1], "batch") == 0) {
    printf("%f\n", batch_files(words[2], atoi(words[3]), strtoul(words[4], NULL, 10)));
  } else if (count == 5 && strcmp(words[1], "commit") == 0) {
    printf("%f\n", commit_files(words[2], atoi(words[3]), strtoul(words[4], NULL, 10)));
  } else if (count == 3 && strcmp(words[1], "read") == 0) {
    printf("%f\n", read_files(words[2]));
  } else if (count == 5 && strcmp(words[1], "count") == 0) {
    getchar(); /* all begin together: when their input ends */
    printf("%f\n", count_up(words[2], words[3], atoi(words[4])));
  } else {
    fprintf(stderr, "files send|promise|batch|commit|read|count\n");
    return 2;
  }
  return 0;
}
